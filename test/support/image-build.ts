// Builds the image without a Docker engine: each step of a Dockerfile is run as it is written there, in folders that
// hold nothing but what the steps before have put into them. A stage's root is a folder of its own, absolute paths of
// COPY and WORKDIR lie in it, and a RUN sees the programs of the base image: Node, npm and a shell. One command is not
// run: instead of fetching packages, `npm ci` checks that it could and links those that are installed here.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { run, type Env } from './run-program.ts'

export type BuiltImage = Disposable & {
  /** What is `/` to the image. */
  readonly root: string
  readonly workdir: string
  readonly env: Env
  readonly user: string
  readonly command: readonly string[]
  /** The Node that its processes are run with. */
  readonly node: string
}

type Step = { readonly instruction: string; readonly words: string }
type Stage = { root: string; workdir: string; env: Env; user: string; command: readonly string[] }
type Build = { readonly context: string; readonly folder: string; readonly ignored: (path: string) => boolean }

/** Builds the image of the Dockerfile in `context`. Throws at the first step that fails, with what it has printed. */
export async function buildImage(context: string): Promise<BuiltImage> {
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  // Its processes are run by another user.
  chmodSync(folder, 0o755)
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  try {
    const build = { context, folder, ignored: ignoreRule(readFileSync(join(context, '.dockerignore'), 'utf8')) }
    const node = installBase(build)
    const stages = new Map<string, Stage>()
    let stage: Stage | null = null
    for (const step of stepsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
      if (step.instruction === 'FROM') {
        stage = stageNamed(build, step.words, stages)
        continue
      }
      if (stage === null) throw new Error(`${step.instruction} stands before FROM`)
      await perform(build, stage, step, stages)
    }
    if (stage === null) throw new Error('The Dockerfile has no stage')
    return { ...stage, node, [Symbol.dispose]: dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

/** One step a line: comments out, continued lines joined. */
const stepsOf = (dockerfile: string): Step[] => {
  const lines = dockerfile.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n/g, ' ')
  return Array.from(lines.matchAll(/^\s*(\w+)\s+(.*?)\s*$/gm), ([, instruction = '', words = '']) => ({
    instruction,
    words,
  }))
}

function stageNamed({ folder }: Build, words: string, stages: Map<string, Stage>): Stage {
  const [, name = String(stages.size)] = /\sAS\s+(\S+)$/.exec(words) ?? []
  const stage = { root: join(folder, name), workdir: '/', env: {}, user: 'root', command: [] }
  mkdirSync(stage.root)
  stages.set(name, stage)
  return stage
}

async function perform(build: Build, stage: Stage, step: Step, stages: ReadonlyMap<string, Stage>): Promise<void> {
  const { instruction, words } = step
  switch (instruction) {
    case 'WORKDIR':
      stage.workdir = resolve(stage.workdir, words)
      mkdirSync(within(stage, '.'), { recursive: true })
      return
    case 'ENV':
      for (const [, name = '', value = ''] of words.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value
      return
    case 'USER':
      stage.user = words
      return
    case 'CMD':
      stage.command = JSON.parse(words) as string[]
      return
    case 'COPY':
      return copy(build, stage, words, stages)
    case 'RUN': {
      const PATH = `${join(build.folder, 'bin')}:${process.env['PATH']}`
      const env = { ...stage.env, HOME: build.folder, PATH, npm_config_update_notifier: 'false' }
      const { code, output } = await run(within(stage, '.'), 'sh', ['-c', words], env)
      if (code !== 0) throw new Error(`RUN ${words} ended with ${code}:\n${output}`)
      return
    }
    default:
      throw new Error(`No rule for ${instruction}`)
  }
}

const within = (stage: Stage, path: string): string => join(stage.root, resolve(stage.workdir, path))

/** What `FROM` brings, first in the path: Node under its name and npm. */
function installBase({ context, folder }: Build): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const node = join(bin, 'node')
  linkOrCopy(process.execPath, node)
  const installed = join(context, 'node_modules')
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const script = [
    '#!/bin/sh',
    `[ "$1" = ci ] || exec ${npm} --offline "$@"`,
    `${npm} --offline "$@" --dry-run || exit 1`,
    `cp -al ${installed} node_modules 2>/dev/null || { rm -rf node_modules; cp -a ${installed} node_modules; }`,
    // What only tests need is beside the packages here.
    'rm -rf node_modules/.foreign',
    // npm writes into this file, which is another's as long as it is linked.
    'rm node_modules/.package-lock.json',
    `cp ${installed}/.package-lock.json node_modules/`,
  ]
  writeFileSync(join(bin, 'npm'), `${script.join('\n')}\n`, { mode: 0o755 })
  return node
}

function copy(build: Build, stage: Stage, words: string, stages: ReadonlyMap<string, Stage>): void {
  const [, from, rest = ''] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(words) ?? []
  const paths = rest.split(/\s+/)
  const to = paths.pop() ?? ''
  const source = from === undefined ? null : stages.get(from)
  if (source === undefined) throw new Error(`COPY ${words}: there is no stage ${from}`)
  const base = source === null ? build.context : source.root
  const skipped = (path: string): boolean => source === null && build.ignored(relative(base, path))
  // What a step changes later is not to change in the context.
  const put = source === null ? copyFileSync : linkOrCopy
  for (const path of paths) {
    const found = join(base, path)
    if (!existsSync(found) || (path !== '.' && skipped(found))) throw new Error(`COPY ${words}: there is no ${path}`)
    const isFolder = statSync(found).isDirectory()
    place(found, within(stage, !isFolder && to.endsWith('/') ? join(to, basename(path)) : to), { skipped, put })
  }
}

/** A folder's contents go into the folder that is there already. */
function place(from: string, to: string, { skipped, put }: { skipped: (path: string) => boolean; put: Put }): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true })
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [each, target] = [join(from, entry.name), join(to, entry.name)]
      if (skipped(each)) continue
      if (entry.isSymbolicLink()) symlinkSync(readlinkSync(each), target)
      else place(each, target, { skipped, put })
    }
  } else {
    mkdirSync(dirname(to), { recursive: true })
    rmSync(to, { force: true })
    put(from, to)
  }
}

type Put = (from: string, to: string) => void

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** Whether a path of the context stays out: the last pattern that fits it, or its folder, decides. */
function ignoreRule(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), pattern: line.replace(/^!/, '').replace(/\/$/, '') }))
  const fits = (path: string, pattern: string): boolean =>
    path !== '.' && (matchesGlob(path, pattern) || fits(dirname(path), pattern))
  return (path) => {
    const last = patterns.findLast(({ pattern }) => fits(path, pattern))
    const holdsException = patterns.some(({ isException, pattern }) => isException && pattern.startsWith(`${path}/`))
    return last !== undefined && !last.isException && !holdsException
  }
}
