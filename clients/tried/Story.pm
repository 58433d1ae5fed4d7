# The story of `story.ts`, for clients in Perl: what it says is here, the calls are in each folder. A client answers with
# the status and the parsed body.
package Story;
use strict;
use warnings;
use utf8;

$| = 1;

sub check {
    my ($ok, $what) = @_;
    return if $ok;
    print "wrong: $what\n";
    exit 1;
}

sub tell {
    my ($client) = @_;
    my $label = "tried-$$-" . time;
    my @ids;
    for my $status (qw(planned active paused)) {
        my ($code, $project) = $client->{create}->({ name => "Größe, $status", status => $status, labels => [$label] });
        check($code == 201 && $project->{name} eq "Größe, $status", "create: $code");
        push @ids, $project->{id};
    }
    print "done: create\n";

    my (undef, $page) = $client->{list}->({ status => ['active', 'paused'], labels => [$label] });
    check(@{ $page->{data} || [] } == 2, 'list');
    print "done: list with two values of a filter\n";

    my (undef, $read) = $client->{get}->($ids[0]);
    check($read->{version} == 1, 'get');
    my ($code, $updated) = $client->{update}->($ids[0], { name => 'Renamed' });
    check($code == 200 && $updated->{name} eq 'Renamed', "update: $code");
    print "done: get, update\n";

    my $seen = 0;
    my %query = (labels => [$label], limit => 1);
    while ($seen < 10) {
        (undef, $page) = $client->{list}->(\%query);
        $seen += @{ $page->{data} };
        last unless $page->{page}{hasMore};
        $query{cursor} = $page->{page}{nextCursor};
    }
    check($seen == 3, "$seen seen");
    print "done: all pages\n";

    ($code, my $archived) = $client->{archive}->($ids[0]);
    check($code == 200 && $archived->{archivedAt}, "archive: $code $archived->{detail}");
    print "done: an action without a body\n";

    ($code, my $problem) = $client->{get}->('01890000-0000-7000-8000-000000000000');
    check($code == 404 && $problem->{code} eq 'not_found', "missing: $code");
    ($code, $problem) = $client->{create}->({ nme => 'Misspelt' });
    check($code == 422 && $problem->{code} eq 'unknown_field', "misspelt: $code");
    print "done: problems\n";
}

1;
