use strict;
use warnings;
use HTTP::Request;
use JSON::PP qw(decode_json encode_json);
use LWP::UserAgent;
use Story;
use URI;

my $api = "$ENV{BASE_URL}/api/v1";
my $ua = LWP::UserAgent->new;
$ua->default_header(Authorization => "Bearer $ENV{API_KEY}");

sub answer {
    my ($response) = @_;
    return ($response->code, decode_json($response->content));
}

sub json {
    my ($method, $path, $body) = @_;
    return answer($ua->request(HTTP::Request->new($method, $api . $path, ['Content-Type' => 'application/json'], encode_json($body))));
}

sub list {
    my $url = URI->new("$api/projects");
    $url->query_form($_[0]);
    return answer($ua->get($url));
}

Story::tell({
    list    => \&list,
    create  => sub { json('POST', '/projects', $_[0]) },
    archive => sub { answer($ua->post("$api/projects/$_[0]/archive")) },
    get     => sub { answer($ua->get("$api/projects/$_[0]")) },
    update  => sub { json('PATCH', "/projects/$_[0]", $_[1]) },
});
