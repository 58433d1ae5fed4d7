package main

// What a receiver does with the raw bytes of a delivery: verify, drop what was taken before, answer, and work afterwards.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	bodyBytesMax     = 5 << 20 // Answer 413 to a body with more bytes.
	toleranceSeconds = 300
	keyBytesMin      = 24
	waitingMax       = 1_000
	rememberedMax    = 10_000
)

type event struct {
	Type     string
	Sequence int64
	Resource struct {
		Type, ID string
		Version  *int64
	}
}

type delivery struct {
	id    string
	event event
}

// Memory is lost with the process. In earnest these are tables of your database, and receive inserts into the first two in
// one transaction before it answers: the id is unique, so a second insert says that the delivery was taken.
type inbox struct {
	keys           [][]byte
	lock           sync.Mutex
	taken          *memory[bool]
	waiting        chan delivery
	newestVersions *memory[int64]
}

func newInbox(keys [][]byte) *inbox {
	in := &inbox{
		keys:           keys,
		taken:          newMemory[bool](),
		waiting:        make(chan delivery, waitingMax),
		newestVersions: newMemory[int64](),
	}
	go in.workOff()
	return in
}

// There are several secrets, separated by commas, while one is replaced. Standard Webhooks keys with the bytes behind whsec_.
func keysOf(secrets string) (keys [][]byte, err error) {
	for _, secret := range strings.Split(secrets, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(strings.TrimSpace(secret), "whsec_"))
		// Anybody could sign with an empty key.
		if err != nil || len(key) < keyBytesMin {
			return nil, errors.New("Set WEBHOOK_SECRET, see .env.example")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// receive returns the status to answer with, at once. The body is what was sent, byte for byte.
func (in *inbox) receive(header http.Header, body []byte) int {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if !isFresh(timestamp) || !in.isGenuine(signed, strings.Fields(header.Get("webhook-signature"))) {
		return http.StatusBadRequest
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		return http.StatusBadRequest
	}
	in.lock.Lock()
	defer in.lock.Unlock()
	if _, known := in.taken.get(id); known {
		return http.StatusNoContent
	}
	select {
	case in.waiting <- delivery{id, e}:
		in.taken.put(id, true)
		return http.StatusNoContent
	default:
		return http.StatusServiceUnavailable // It is sent again later.
	}
}

func isFresh(timestamp string) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0)).Seconds()
	return err == nil && age <= toleranceSeconds && age >= -toleranceSeconds
}

// HMAC-SHA-256 over <id>.<timestamp>.<body>, with any of our keys. There are two signatures while a secret is replaced.
func (in *inbox) isGenuine(signed []byte, signatures []string) bool {
	for _, key := range in.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range signatures {
			if hmac.Equal([]byte(expected), []byte(given)) {
				return true
			}
		}
	}
	return false
}

func (in *inbox) workOff() {
	for next := range in.waiting {
		if !in.isNews(next.event) {
			continue
		}
		if err := work(next.event); err != nil {
			log.Print(err)
			in.lock.Lock()
			in.taken.forget(next.id) // So that a replay of this delivery is taken.
			in.lock.Unlock()
		}
	}
}

// isNews is false where a later change of the same object was worked off already.
func (in *inbox) isNews(e event) bool {
	if e.Resource.Version == nil {
		return true
	}
	key := e.Resource.Type + "/" + e.Resource.ID
	if newest, known := in.newestVersions.get(key); known && *e.Resource.Version < newest {
		return false
	}
	in.newestVersions.put(key, *e.Resource.Version)
	return true
}

// work is yours. An event with "test": true is an example, of an object that does not exist.
func work(e event) error {
	_, err := fmt.Printf("%s %s (number %d)\n", e.Type, e.Resource.ID, e.Sequence)
	return err
}
