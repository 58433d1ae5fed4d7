// Builds the console: console/dist/ holds all that the gateway serves under /settings, each file with its compressed
// forms beside it. The package scripts run it after an installation, and the Dockerfile does.
import { join } from 'node:path'
import { build } from 'vite'
import { consoleBuild } from './vite-options.ts'

await build(consoleBuild(join(import.meta.dirname, '../dist')))
