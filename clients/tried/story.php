<?php
// The story of `story.ts`, for clients in PHP: what it says is here, the calls are in each folder. A client answers with
// the status and the parsed body.

function check(bool $ok, mixed $what): void
{
    if (!$ok) {
        echo 'wrong: ', json_encode($what), "\n";
        exit(1);
    }
}

function tell_story(object $client): void
{
    $label = 'tried-' . bin2hex(random_bytes(4));
    $ids = [];
    foreach (['planned', 'active', 'paused'] as $status) {
        [$code, $project] = $client->create(['name' => "Größe, $status", 'status' => $status, 'labels' => [$label]]);
        check($code === 201 && $project['name'] === "Größe, $status", $project);
        $ids[] = $project['id'];
    }
    echo "done: create\n";

    [, $page] = $client->list(['status' => ['active', 'paused'], 'labels' => [$label]]);
    check(count($page['data'] ?? []) === 2, $page);
    echo "done: list with two values of a filter\n";

    check($client->get($ids[0])[1]['version'] === 1, 'get');
    [, $updated] = $client->update($ids[0], ['name' => 'Renamed']);
    check(($updated['name'] ?? null) === 'Renamed', $updated);
    echo "done: get, update\n";

    $seen = 0;
    $query = ['labels' => [$label], 'limit' => 1];
    while ($seen < 10) {
        [, $page] = $client->list($query);
        $seen += count($page['data']);
        if (!$page['page']['hasMore']) {
            break;
        }
        $query['cursor'] = $page['page']['nextCursor'];
    }
    check($seen === 3, $seen);
    echo "done: all pages\n";

    [, $archived] = $client->archive($ids[0]);
    check(isset($archived['archivedAt']), $archived);
    echo "done: an action without a body\n";

    [$code, $problem] = $client->get('01890000-0000-7000-8000-000000000000');
    check($code === 404 && $problem['code'] === 'not_found', $problem);
    [$code, $problem] = $client->create(['nme' => 'Misspelt']);
    check($code === 422 && $problem['code'] === 'unknown_field', $problem);
    echo "done: problems\n";
}
