// The command line of the official MCP Inspector.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run-program.ts'

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'))

export type Era = 'legacy' | 'auto' | 'modern'

/**
 * Runs one method of MCP against the URL. The output is one JSON object where there is nothing to warn of; codes other
 * than 0: 3 the key is refused, 5 the tool failed, 6 a schema that some clients do not understand.
 */
export async function inspect(url: string, secret: string, era: Era, ...method: string[]) {
  // It writes a catalogue to the home folder.
  const home = mkdtempSync(join(tmpdir(), 'inspector-'))
  const server = [url, '--transport', 'http', '--protocol-era', era, '--header', `Authorization: Bearer ${secret}`]
  const args = ['--cli', ...server, '--format', 'json', '--stored-auth-only', '--method', ...method]
  return run(home, process.execPath, [program, ...args], { HOME: home })
}
