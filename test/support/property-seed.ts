// Property tests draw the same values in every run, so that a failure comes back when it is looked into. PROPERTY_SEED
// draws others. Besides, a warning of the database driver about concurrent queries fails the run.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) })

process.on('warning', (warning) => {
  if (/client\.query\(\)/.test(warning.message)) throw warning
})
