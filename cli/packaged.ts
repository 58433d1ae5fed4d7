#!/usr/bin/env node
// The program of the package, which `npm pack` in clients/cli bundles.
import { packagedName, runProgram } from './program.ts'
import manifest from '#clients/cli/package.json' with { type: 'json' }

await runProgram(packagedName, manifest.version)
