// The official conformance runner against an MCP endpoint: what a revision of the specification requires of a server.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { run } from '../run-program.ts'

const root = join(import.meta.dirname, '../../..')
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

export type Revision = '2025-11-25' | '2026-07-28'

/**
 * Runs every scenario of the revision. The code is 0 where those of the baseline fail and no other does: an entry that
 * passes fails the run as well.
 */
export async function runConformance(url: string, revision: Revision, baseline: string) {
  const named = ['--url', url, '--requirements', revision, '--expected-failures', baselinePath(baseline)]
  const { code, output } = await run(root, process.execPath, [program, 'server', ...named], {})
  const text = stripVTControlCharacters(output)
  return { code, verdict: text.slice(text.indexOf('\nTotal: ')) }
}

const baselinePath = (name: string): string => join(import.meta.dirname, `${name}.yml`)
