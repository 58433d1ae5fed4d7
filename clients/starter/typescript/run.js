// Starts a sample: `node run.js sync`. It is plain JavaScript, so that a Node too old for TypeScript can say so.
const samples = ['sync', 'webhook-receiver', 'express-receiver', 'fastify-receiver']
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const runsTypeScript = major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)
const [sample = ''] = process.argv.slice(2)

if (!runsTypeScript)
  fail(`The samples need Node 24 or newer (22.18 will do), and this is Node ${process.versions.node}.`)
else if (!samples.includes(sample)) fail(`Say which sample to start: node run.js ${samples.join(' | ')}`)
else await import(`./${sample}.ts`)

/** @param {string} sentence */
function fail(sentence) {
  console.error(sentence)
  process.exitCode = 1
}
