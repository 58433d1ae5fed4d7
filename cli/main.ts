// `npm run cli`: the command line from its sources. The package runs the same by cli/packaged.ts.
import { runProgram } from './program.ts'
import manifest from '#clients/cli/package.json' with { type: 'json' }

await runProgram('npm run cli --', manifest.version)
