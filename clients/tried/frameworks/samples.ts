// The samples for frameworks in docs/guides/mcp.md, run as they are printed there: their address and key come from the
// environment, and the models that they ask are stand-ins.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelApis } from './model-apis.ts'

export type Sample = { readonly title: string; readonly language: string; readonly code: string }

const page = join(import.meta.dirname, '../../../docs/guides/mcp.md')

/** Of the part `Frameworks`: each block of code, by what stands in bold before it. */
export function frameworkSamples(): Sample[] {
  const [, after = ''] = readFileSync(page, 'utf8').split(/^## Frameworks$/m)
  const [part = ''] = after.split(/^## /m)
  const blocks = part.matchAll(/^\*\*(?<title>[^*]+)\*\*(?:(?!^```)[^])*^```(?<language>\w+)\n(?<code>[^]*?)^```$/gm)
  return Array.from(blocks, ({ groups }) => groups as Sample)
}

export function sampleOf(title: string): Sample {
  const found = frameworkSamples().find((sample) => sample.title === title)
  if (found === undefined) throw new Error(`docs/guides/mcp.md has no sample for ${title} in its part Frameworks.`)
  return found
}

type Surroundings = {
  readonly url: string
  readonly key: string
  /** Absent for a sample that asks no model. */
  readonly models?: ModelApis
  /** The folder in which the packages of a sample for Node are installed. */
  readonly packages: string
  /** The program that a sample in Python is given to, with its first arguments. */
  readonly python?: readonly string[]
}

/** In a folder of its own, with nothing of this process's environment. Gives the exit code and all output. */
export async function runSample(sample: Sample, { url, key, models, packages, python = ['python3'] }: Surroundings) {
  const folder = mkdtempSync(join(tmpdir(), 'framework-sample-'))
  const [file, [program = '', ...args]] =
    sample.language === 'python' ? ['sample.py', python] : ['sample.mts', [process.execPath]]
  try {
    symlinkSync(packages, join(folder, 'node_modules'))
    writeFileSync(join(folder, file), sample.code)
    return await outputOf(program, [...args, file], folder, {
      PATH: process.env['PATH'],
      HOME: folder,
      WORKSPACE_API_URL: url,
      WORKSPACE_API_KEY: key,
      ...(models && { ANTHROPIC_BASE_URL: models.url, ANTHROPIC_API_KEY: 'none' }),
      ...(models && { OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function outputOf(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
