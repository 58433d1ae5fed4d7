// Writes each file's compressed forms beside it: made once here, at the best that there is, and not at every start.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

export function compressedFiles(): Plugin {
  let folder = ''
  return {
    name: 'compressed-files',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle() {
      for (const name of globSync('**/*.{html,js,css,svg}', { cwd: folder })) writeForms(join(folder, name))
    },
  }
}

function writeForms(path: string): void {
  const plain = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }))
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
  )
}
