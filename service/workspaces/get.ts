import type { getWorkspace } from '#contract/workspaces.ts'
import type { Handler } from '../execution/handler.ts'
import { findWorkspace } from './rows.ts'

export const get: Handler<typeof getWorkspace> = ({ id }, { db }) => findWorkspace(db, id)
