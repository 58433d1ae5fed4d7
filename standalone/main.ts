// The whole product in one process. Code that was compiled by an earlier start is taken from a cache, whose entries
// tell by their hashes what they were made from; where the folder cannot be written to, there is none.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// In a folder of the installation: whoever can write there can change the code as well.
enableCompileCache(join(import.meta.dirname, '../node_modules/.compile-cache'))
await import('./start.ts')
