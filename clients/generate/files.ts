// What is generated, by its path in `clients`. TypeScript is formatted as the rest of the code is.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pythonFiles } from './python.ts'
import { typeScriptFiles } from './typescript.ts'

const root = join(import.meta.dirname, '../..')

export function generatedFiles(): Record<string, string> {
  const typeScript = Object.entries(typeScriptFiles()).map(([name, text]) => {
    const path = `typescript/src/${name}`
    return [path, formatted(path, text)] as const
  })
  const python = Object.entries(pythonFiles()).map(
    ([name, text]) => [`python/src/workspace_client/${name}`, text] as const,
  )
  return Object.fromEntries([...typeScript, ...python])
}

function formatted(path: string, text: string): string {
  const { status, stdout, stderr } = spawnSync('oxfmt', [`--stdin-filepath=clients/${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${path}: ${stderr}`)
  return stdout
}
