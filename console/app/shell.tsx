// The frame of all pages of a workspace: workspace menu, navigation and account menu.
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SideDialog } from '../ui/side-dialog.tsx'
import { AccountMenu } from './account-menu.tsx'
import { navigation } from './navigation.ts'
import { may, useMembership } from './session.ts'
import css from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function Shell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useShortcuts()
  // On a new page the open navigation closes, and the focus moves to the start of the content.
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    setOpen(false)
    main.current?.focus()
  }, [pathname])
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <header className={css.bar}>
        <IconButton icon="menu" label="Open navigation" onClick={() => setOpen(true)} />
        <span className={css.barTitle}>Workspace settings</span>
      </header>
      <aside className={css.side}>
        <Side />
      </aside>
      <SideDialog isOpen={isOpen} title="Navigation" onClose={() => setOpen(false)}>
        <Side />
      </SideDialog>
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

const Side = (): ReactNode => (
  <div className={css.sideBody}>
    <WorkspaceMenu />
    <Navigation />
    <AccountMenu />
  </div>
)

function Navigation(): ReactNode {
  const { workspaceId = '' } = useParams({ strict: false })
  const member = useMembership(workspaceId)
  return (
    <nav className={css.nav} aria-label="Workspace settings">
      {navigation.map(({ title, entries }) => (
        <div key={title}>
          <h2 className={css.group}>{title}</h2>
          <ul>
            {entries.map(({ to, label, icon, scope }) => (
              <li key={label}>
                <Link
                  to={to}
                  params={{ workspaceId }}
                  className={css.entry}
                  data-lacking={!may(member, scope) || undefined}
                  // Every other page lies below the first one.
                  activeOptions={{ exact: to === '/w/$workspaceId' }}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  <Icon name={icon} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The frame of pages outside of a workspace: the account and, tinted, pages with a single card. */
export const Plain = ({
  isTinted = false,
  children,
}: {
  readonly isTinted?: boolean
  readonly children: ReactNode
}): ReactNode => (
  <main id="main" className={classNames(css.plain, isTinted && css.tinted)}>
    {children}
  </main>
)

export const NotFound = (): ReactNode => (
  <div className={css.notFound}>
    <title>Not found · Workspace settings</title>
    <h1>Page not found</h1>
    <p>The link is wrong, or the page no longer exists.</p>
    <Button onClick={() => history.back()}>Go back</Button>
  </div>
)
