use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP qw(decode_json encode_json);
use Story;

my $api = "$ENV{BASE_URL}/api/v1";
my $http = HTTP::Tiny->new(default_headers => { Authorization => "Bearer $ENV{API_KEY}" });

sub call {
    my ($method, $path, $body) = @_;
    my %options = $body ? (content => encode_json($body), headers => { 'Content-Type' => 'application/json' }) : ();
    my $response = $http->request($method, $api . $path, \%options);
    return ($response->{status}, decode_json($response->{content}));
}

Story::tell({
    list    => sub { call('GET', '/projects?' . $http->www_form_urlencode($_[0])) },
    create  => sub { call('POST', '/projects', $_[0]) },
    archive => sub { call('POST', "/projects/$_[0]/archive") },
    get     => sub { call('GET', "/projects/$_[0]") },
    update  => sub { call('PATCH', "/projects/$_[0]", $_[1]) },
});
