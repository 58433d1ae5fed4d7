// The command line as an operator runs it: a process of its own, with nothing in its environment but what is given.
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../cli/main.ts')

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }
type Target = { readonly url: string; readonly operatorToken: string }

export const cli = ({ url, operatorToken }: Target, ...words: string[]): Promise<Ended> =>
  run({ BASE_URL: url, OPERATOR_TOKEN: operatorToken }, ...words)

export const run = (environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', ...environment }
    execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error)
    })
  })
