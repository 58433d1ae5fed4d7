// Every setting of `npm run migrate`.
import { databaseUrl } from '#runtime/shared-settings.ts'
import { text } from '#runtime/settings.ts'

const appRole = text('DATABASE_APP_ROLE', {
  default: null,
  description:
    'The role that services and dispatchers connect as, where it is not the one that migrates: it may read and write, and owns nothing.',
})

export const settings = {
  databaseUrl,
  databaseAppRole: {
    ...appRole,
    parse: (given: string) => {
      if (!/^[a-z_][\w$-]{0,62}$/i.test(given))
        throw new Error('must be the name of a role: up to 63 letters, digits, underscores and hyphens')
      return given
    },
  } satisfies typeof appRole,
}
