import { defineConfig } from 'oxlint'
import { importOverrides } from './import-rule.ts'

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { node: true, es2026: true },
  // Folders of `clients/tried` have packages of their own, which are not installed here.
  ignorePatterns: ['prisma/generated', 'console/dist', 'screens', 'clients/tried/*/*', 'clients/{cli,typescript}/dist'],
  rules: {
    'eslint/max-lines': ['error', { max: 400 }],
    'eslint/max-lines-per-function': ['error', { max: 60 }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    // Rules of these categories that speak against this code's own habits: closures instead of classes, work done one
    // after the other on purpose, casts in one named place.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-unmodified-loop-condition': 'off',
    'unicorn/no-useless-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'oxc/no-map-spread': 'off',
    'import/no-named-as-default': 'off',
    'import/no-named-as-default-member': 'off',
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'vitest/expect-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/no-conditional-tests': 'off',
    'vitest/require-to-throw-message': 'off',
    'vitest/valid-expect': 'off',
  },
  overrides: [
    ...importOverrides,
    {
      files: ['console/**/*.tsx'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'react/react-in-jsx-scope': 'off',
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        // A ref is handed on here, not read.
        'react/refs': 'off',
        // `output` holds no paragraphs.
        'jsx-a11y/prefer-tag-over-role': 'off',
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
      },
    },
    // Written from the contract.
    {
      files: ['clients/typescript/src/{schema,api,operations}.ts'],
      rules: { 'eslint/max-lines': 'off' },
    },
    { files: ['test/**', 'bench/**'], rules: { 'eslint/max-lines': 'off', 'eslint/max-lines-per-function': 'off' } },
    {
      files: ['*.config.ts', 'test/support/global-setup.ts', 'test/support/tally-reporter.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
})
