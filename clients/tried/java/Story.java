import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The story, with the standard library alone, which reads no JSON. */
class Story {
    static final HttpClient client = HttpClient.newHttpClient();
    static final String api = System.getenv("BASE_URL") + "/api/v1";

    static HttpResponse<String> call(String method, String path, BodyPublisher body, boolean isJson) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(api + path))
            .header("Authorization", "Bearer " + System.getenv("API_KEY"))
            .method(method, body);
        if (isJson) request.header("Content-Type", "application/json");
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> get(String path) throws Exception {
        return call("GET", path, BodyPublishers.noBody(), false);
    }

    static HttpResponse<String> json(String method, String path, String json) throws Exception {
        return call(method, path, BodyPublishers.ofString(json), true);
    }

    static String field(String name, String json) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }

    static void check(boolean ok, Object what) {
        if (ok) return;
        System.out.println("wrong: " + what);
        System.exit(1);
    }

    public static void main(String[] args) throws Exception {
        var label = "tried-" + System.nanoTime();
        List<String> ids = new ArrayList<>();
        for (var status : List.of("planned", "active", "paused")) {
            var made = json("POST", "/projects",
                "{\"name\":\"Größe\",\"status\":\"%s\",\"labels\":[\"%s\"]}".formatted(status, label));
            check(made.statusCode() == 201 && made.body().contains("\"name\":\"Größe\""), made.body());
            ids.add(field("id", made.body()));
        }
        System.out.println("done: create");

        var found = get("/projects?status=active&status=paused&fields=status&labels=" + label).body();
        check(found.split("\"object\":\"project\"").length == 3, found);
        System.out.println("done: list with two values of a filter");

        check(get("/projects/" + ids.get(0)).body().contains("\"version\":1"), "get");
        var updated = json("PATCH", "/projects/" + ids.get(0), "{\"name\":\"Renamed\"}").body();
        check(updated.contains("\"name\":\"Renamed\""), updated);
        System.out.println("done: get, update");

        var pages = 0;
        String cursor = null;
        do {
            var after = cursor == null ? "" : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
            cursor = field("nextCursor", get("/projects?limit=1&labels=" + label + after).body());
            pages++;
        } while (cursor != null && pages < 10);
        check(pages == 3, pages);
        System.out.println("done: all pages");

        var archived = call("POST", "/projects/" + ids.get(0) + "/archive", BodyPublishers.noBody(), false);
        check(archived.statusCode() == 200 && field("archivedAt", archived.body()) != null, archived.body());
        System.out.println("done: an action without a body");

        var missing = get("/projects/01890000-0000-7000-8000-000000000000");
        check(missing.statusCode() == 404 && "not_found".equals(field("code", missing.body())), missing.body());
        var misspelt = json("POST", "/projects", "{\"nme\":\"Misspelt\"}");
        check(misspelt.statusCode() == 422 && "unknown_field".equals(field("code", misspelt.body())), misspelt.body());
        System.out.println("done: problems");
    }
}
