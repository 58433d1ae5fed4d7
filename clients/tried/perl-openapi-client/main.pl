use strict;
use warnings;
use OpenAPI::Client;
use Story;

my $client = OpenAPI::Client->new("$ENV{BASE_URL}/api/v1/openapi-3.0.json");
$client->ua->on(start => sub { $_[1]->req->headers->authorization("Bearer $ENV{API_KEY}") });

sub answer {
    my ($operation, $parameters) = @_;
    my $tx = $client->call($operation => $parameters);
    return ($tx->res->code, $tx->res->json);
}

# The client refuses an unknown field itself, as it has read the description; then the API is asked without it.
sub create {
    my ($code, $answer) = answer('projects.create', { body => $_[0] });
    return ($code, $answer) unless $code == 400 && !$answer->{requestId};
    my $tx = $client->ua->post("$ENV{BASE_URL}/api/v1/projects" => json => $_[0]);
    return ($tx->res->code, $tx->res->json);
}

Story::tell({
    list    => sub { answer('projects.list', $_[0]) },
    create  => \&create,
    archive => sub { answer('projects.archive', { id => $_[0] }) },
    get     => sub { answer('projects.get', { id => $_[0] }) },
    update  => sub { answer('projects.update', { id => $_[0], body => $_[1] }) },
});
