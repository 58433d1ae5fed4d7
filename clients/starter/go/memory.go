package main

// A bounded memory: at least the newest rememberedMax entries, at most twice as many.
type memory[V any] struct{ young, old map[string]V }

func newMemory[V any]() *memory[V] {
	return &memory[V]{young: map[string]V{}}
}

func (m *memory[V]) get(key string) (V, bool) {
	if value, known := m.young[key]; known {
		return value, true
	}
	value, known := m.old[key]
	return value, known
}

func (m *memory[V]) put(key string, value V) {
	if len(m.young) == rememberedMax {
		m.young, m.old = map[string]V{}, m.young
	}
	m.young[key] = value
}

func (m *memory[V]) forget(key string) {
	delete(m.young, key)
	delete(m.old, key)
}
