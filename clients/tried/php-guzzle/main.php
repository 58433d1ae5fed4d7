<?php
require '/usr/share/php/GuzzleHttp/autoload.php';
require '../story.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ClientException;

tell_story(new class {
    private Client $api;

    public function __construct()
    {
        $this->api = new Client([
            'base_uri' => getenv('BASE_URL') . '/api/v1/',
            'headers' => ['Authorization' => 'Bearer ' . getenv('API_KEY')],
        ]);
    }

    private function call(string $method, string $path, array $options = []): array
    {
        try {
            $response = $this->api->request($method, $path, $options);
        } catch (ClientException $error) {
            $response = $error->getResponse();
        }
        return [$response->getStatusCode(), json_decode($response->getBody(), true)];
    }

    public function list(array $query): array { return $this->call('GET', 'projects', ['query' => $query]); }
    public function create(array $project): array { return $this->call('POST', 'projects', ['json' => $project]); }
    public function archive(string $id): array { return $this->call('POST', "projects/$id/archive"); }
    public function get(string $id): array { return $this->call('GET', "projects/$id"); }
    public function update(string $id, array $change): array { return $this->call('PATCH', "projects/$id", ['json' => $change]); }
});
