// PGlite with the extensions that the migrations ask for. A folder or a dump that was made with them opens with them only.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

export const createPglite = (options: Pick<PGliteOptions, 'dataDir' | 'loadDataDir'> = {}): Promise<PGlite> =>
  PGlite.create({ ...options, extensions: { btree_gin, pg_trgm } })
