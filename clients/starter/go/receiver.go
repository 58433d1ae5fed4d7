// Takes deliveries on PORT (9000) with net/http, and prints what happened.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	keys, err := keysOf(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: take(newInbox(keys)), ReadTimeout: 30 * time.Second}
	fmt.Printf("Waiting for deliveries on http://127.0.0.1:%s/\n", port)
	log.Fatal(server.Serve(listener))
}

func take(inbox *inbox) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytesMax))
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		case err != nil || r.Method != http.MethodPost:
			w.WriteHeader(http.StatusBadRequest)
		default:
			w.WriteHeader(inbox.receive(r.Header, body))
		}
	}
}
