// deploy/roll against a stand-in for docker that keeps its containers in a folder and writes down what it is told.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../deploy/roll')
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** `newHealth`: what is said of the containers that are started. */
function roll(containers: readonly string[], newHealth: string) {
  const folder = mkdtempSync(join(tmpdir(), 'roll-'))
  folders.push(folder)
  writeFileSync(join(folder, 'containers'), containers.map((name) => `${name}\n`).join(''))
  writeFileSync(join(folder, 'docker'), standIn(folder, newHealth))
  chmodSync(join(folder, 'docker'), 0o755)
  const env = { PATH: `${folder}:${process.env['PATH']}`, HEALTHY_WITHIN_SECONDS: '0', LOOK_EVERY_SECONDS: '0' }
  const { status, stderr } = spawnSync(script, ['gateway'], { env, encoding: 'utf8' })
  const linesOf = (name: string): string[] => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }
  return { status, stderr, told: linesOf('told'), left: linesOf('containers') }
}

const standIn = (folder: string, newHealth: string): string => `#!/usr/bin/env bash
cd ${folder}
case "$1 $2" in
  'compose ps') cat containers ;;
  'compose up') echo "up" >> told; echo "new$(wc -l < told)" >> containers ;;
  'inspect '*) case "\${@: -1}" in new*) echo ${newHealth} ;; *) echo healthy ;; esac ;;
  'stop '*) echo "stop $2" >> told ;;
  'rm '*) sed -i "/^$2$/d" containers ;;
esac
`

test('each container is stopped only when the one before has a healthy successor', () => {
  const { status, told, left } = roll(['old1', 'old2'], 'healthy')

  expect([status, told]).toEqual([0, ['stop old1', 'up', 'stop old2', 'up']])
  expect(left).toEqual(['new2', 'new4'])
})

test('a successor that does not become healthy ends it, with the other containers as they were', () => {
  const { status, stderr, told, left } = roll(['old1', 'old2'], 'starting')

  expect([status, told]).toEqual([1, ['stop old1', 'up']])
  expect(stderr).toContain('not healthy')
  expect(left).toContain('old2')
})

test('a tier of one container is not rolled: its calls would fail meanwhile', () => {
  const { status, told } = roll(['old1'], 'healthy')

  expect([status, told]).toEqual([1, []])
})
