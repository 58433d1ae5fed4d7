<?php
require '../story.php';

tell_story(new class {
    private function call(string $method, string $path, ?array $body = null): array
    {
        $curl = curl_init(getenv('BASE_URL') . "/api/v1$path");
        $headers = ['Authorization: Bearer ' . getenv('API_KEY')];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
        }
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => $headers,
        ]);
        $answer = curl_exec($curl);
        return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), json_decode($answer, true)];
    }

    public function list(array $query): array { return $this->call('GET', '/projects?' . http_build_query($query)); }
    public function create(array $project): array { return $this->call('POST', '/projects', $project); }
    public function archive(string $id): array { return $this->call('POST', "/projects/$id/archive"); }
    public function get(string $id): array { return $this->call('GET', "/projects/$id"); }
    public function update(string $id, array $change): array { return $this->call('PATCH', "/projects/$id", $change); }
});
