import type { getCurrentWorkspace } from '#contract/workspaces.ts'
import type { Handler } from '../execution/handler.ts'
import { findWorkspace } from './rows.ts'

export const getCurrent: Handler<typeof getCurrentWorkspace> = (_input, { db, workspaceId }) =>
  findWorkspace(db, workspaceId)
