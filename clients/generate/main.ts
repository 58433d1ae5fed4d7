// Writes the parts of the published clients that follow from the contract: `npm run clients`. A test says when they are
// not current.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './files.ts'

const folder = join(import.meta.dirname, '..')

for (const [path, text] of Object.entries(generatedFiles())) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
