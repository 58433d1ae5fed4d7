// What Node itself would let a process do that is started with these NODE_OPTIONS.
import { execFileSync } from 'node:child_process'

const scopes = ['child', 'worker', 'addons', 'wasi', 'inspector', 'fs.write', 'fs.read'] as const
type Permissions = { readonly scopes: readonly (typeof scopes)[number][]; readonly mayWrite: readonly string[] }

/** `mayWrite`: those of the paths that it may write to. */
export function permissionsBy(options: string, paths: readonly string[]): Permissions {
  const program = `
    const has = (...asked) => process.permission?.has(...asked) ?? true
    const [scopes, paths] = ${JSON.stringify([scopes, paths])}
    const mayWrite = paths.filter((path) => has('fs.write', path))
    console.log(JSON.stringify({ scopes: scopes.filter((scope) => has(scope)), mayWrite }))`
  const env = { PATH: process.env['PATH'], NODE_OPTIONS: options }
  return JSON.parse(execFileSync(process.execPath, ['--eval', program], { env, encoding: 'utf8' })) as Permissions
}
