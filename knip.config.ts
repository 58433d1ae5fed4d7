import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnipConfig } from 'knip'

const foreign = JSON.parse(readFileSync(join(import.meta.dirname, 'test/foreign/package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
}

const config: KnipConfig = {
  entry: [
    '*/main.ts',
    'bench/programs/*.ts',
    'cli/packaged.ts',
    'console/main.tsx',
    'console/docs/{site,reference}.ts',
    'dev/{console,attached}.ts',
    'docs/*.ts',
    'clients/starter/typescript/*.ts',
    'clients/typescript/src/{index,testing}.ts',
    'clients/tried/frameworks/*.ts',
    'clients/tried/*.ts',
    'test/support/serve-route-handler.ts',
    'test/upgrade/record.ts',
    'test/**/*.test.ts',
    'test/clients/typescript/types.ts',
  ],
  project: ['**/*.{ts,tsx}', '!clients/tried/*/**'],
  ignoreBinaries: ['dpkg-query', 'ip', 'prometheus', 'promtool', 'script', 'taskset', 'unshare', 'workspace'],
  // They have a lockfile of their own. test/deploy/lockfile.test.ts tells those that nothing imports.
  ignoreDependencies: Object.keys(foreign.devDependencies),
}

export default config
