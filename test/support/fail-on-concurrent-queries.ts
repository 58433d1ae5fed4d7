let isListening = false

/** From then on a warning of the database driver about concurrent queries fails the run. Once for each worker. */
export function failOnConcurrentQueries(): void {
  if (isListening) return
  isListening = true
  process.on('warning', (warning) => {
    if (/client\.query\(\)/.test(warning.message)) throw warning
  })
}
