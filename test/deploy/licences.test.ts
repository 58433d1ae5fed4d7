import { expect, test } from 'vitest'
import { licenceMistakes } from '../../docs/licences.ts'

test('a package of the production tree without an accepted licence is named, one for development alone is not', () => {
  const mistakes = licenceMistakes({
    '': { license: 'Apache-2.0' },
    'node_modules/fine': { license: 'MIT' },
    'node_modules/copyleft': { license: 'GPL-3.0-only' },
    'node_modules/a/node_modules/@scope/silent': {},
    'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
    'node_modules/elkjs': { license: 'GPL-3.0-only' },
  })

  expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual(['copyleft', '@scope/silent', 'elkjs'])
})
