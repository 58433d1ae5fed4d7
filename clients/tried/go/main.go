// The story, with the standard library alone.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

type project struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Version    int     `json:"version"`
	ArchivedAt *string `json:"archivedAt"`
}

type page struct {
	Data []project `json:"data"`
	Page struct {
		NextCursor *string `json:"nextCursor"`
	} `json:"page"`
}

type problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
}

// withKey adds the key to every request of a client.
type withKey struct{}

func (withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	return http.DefaultTransport.RoundTrip(request)
}

var (
	api    = os.Getenv("BASE_URL") + "/api/v1"
	client = &http.Client{Transport: withKey{}}
)

func read(response *http.Response, err error, into any) int {
	check(err == nil, err)
	defer response.Body.Close()
	check(json.NewDecoder(response.Body).Decode(into) == nil, "an answer that is no JSON")
	return response.StatusCode
}

func post(path string, body any, into any) int {
	text, _ := json.Marshal(body)
	response, err := client.Post(api+path, "application/json", bytes.NewReader(text))
	return read(response, err, into)
}

func get(path string, into any) int {
	response, err := client.Get(api + path)
	return read(response, err, into)
}

func check(ok bool, what any) {
	if !ok {
		fmt.Println("wrong:", what)
		os.Exit(1)
	}
}

func main() {
	label := fmt.Sprintf("tried-%d", time.Now().UnixNano())
	var ids []string
	for _, status := range []string{"planned", "active", "paused"} {
		var made project
		code := post("/projects", map[string]any{"name": "Größe, " + status, "status": status, "labels": []string{label}}, &made)
		check(code == 201 && made.Name == "Größe, "+status, made)
		ids = append(ids, made.ID)
	}
	fmt.Println("done: create")

	var found page
	query := url.Values{"status": {"active", "paused"}, "labels": {label}}
	check(get("/projects?"+query.Encode(), &found) == 200 && len(found.Data) == 2, found)
	fmt.Println("done: list with two values of a filter")

	var read1, updated project
	check(get("/projects/"+ids[0], &read1) == 200 && read1.Version == 1, read1)
	request, _ := http.NewRequest(http.MethodPatch, api+"/projects/"+ids[0], bytes.NewBufferString(`{"name":"Renamed"}`))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	check(read(response, err, &updated) == 200 && updated.Name == "Renamed", updated)
	fmt.Println("done: get, update")

	seen := 0
	query = url.Values{"labels": {label}, "limit": {"1"}}
	for seen < 10 {
		var next page
		check(get("/projects?"+query.Encode(), &next) == 200, next)
		seen += len(next.Data)
		if next.Page.NextCursor == nil {
			break
		}
		query.Set("cursor", *next.Page.NextCursor)
	}
	check(seen == 3, seen)
	fmt.Println("done: all pages")

	var archived project
	response, err = client.Post(api+"/projects/"+ids[0]+"/archive", "", nil)
	check(read(response, err, &archived) == 200 && archived.ArchivedAt != nil, archived)
	fmt.Println("done: an action without a body")

	var missing, misspelt problem
	check(get("/projects/01890000-0000-7000-8000-000000000000", &missing) == 404 && missing.Code == "not_found", missing)
	check(post("/projects", map[string]string{"nme": "Misspelt"}, &misspelt) == 422 && misspelt.Code == "unknown_field", misspelt)
	fmt.Println("done: problems")
}
