// PGlite with the extensions that the migrations need. A data folder or dump made with them opens only with them.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

export const createPglite = (
  options: Pick<PGliteOptions, 'dataDir' | 'loadDataDir' | 'startParams'> = {},
): Promise<PGlite> => PGlite.create({ ...options, extensions: { btree_gin, pg_trgm } })
