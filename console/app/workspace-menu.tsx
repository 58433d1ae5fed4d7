// The workspace that the pages are about, and the way to another.
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx'
import css from './menus.module.css'
import { useSession } from './session.ts'
import { texts } from './texts.tsx'

export function WorkspaceMenu(): ReactNode {
  const { workspaceId } = useParams({ strict: false })
  const { workspaces } = useSession()
  const navigate = useNavigate()
  const current = workspaces.find((each) => each.workspaceId === workspaceId)
  const name = current?.name ?? texts.workspace
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={css.trigger}>
          <span className={css.mark} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={css.names}>
            <span className={css.name}>{name}</span>
            <span className={css.note}>{current?.sandbox === true ? texts.sandbox : texts.settings}</span>
          </span>
          <Icon name="chevrons" />
        </button>
      }
    >
      <MenuLabel>{texts.workspaces}</MenuLabel>
      {workspaces.map((each) => (
        <MenuItem
          key={each.workspaceId}
          isChosen={each.workspaceId === workspaceId}
          onSelect={() => void navigate({ to: '/w/$workspaceId', params: { workspaceId: each.workspaceId } })}
        >
          {each.name}
        </MenuItem>
      ))}
    </Menu>
  )
}
