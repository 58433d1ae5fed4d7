// Property tests draw the same values in every run, so that a failure comes back; PROPERTY_SEED draws others.
import fc from 'fast-check'
import { runChecksAfterFile } from './checks-after-each-file.ts'
import { failOnConcurrentQueries } from './fail-on-concurrent-queries.ts'
import { compareRowsWithDeclarations } from './look-at-rows.ts'

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) })
// A data folder that a test opens leaves its owner's mask to the worker. Some tests start programs as other users, who
// must be able to read the files that are made for them.
process.umask(0o022)
failOnConcurrentQueries()
compareRowsWithDeclarations()
runChecksAfterFile()
