// Builds what browsers load: console/dist/ holds all that the gateway serves under /settings, and its folder docs what
// the pages under /docs load, each file with its compressed forms beside it. The package scripts run it after an
// installation, and the Dockerfile does.
import { join } from 'node:path'
import { build } from 'vite'
import { consoleBuild, docsBuild } from './vite-options.ts'

const dist = join(import.meta.dirname, '../dist')
// The first empties the folder.
await build(consoleBuild(dist))
await build(docsBuild(join(dist, 'docs')))
