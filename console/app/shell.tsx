// The frame of all pages of a workspace: workspace menu, navigation and account menu.
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Tag } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { SideDialog } from '../ui/side-dialog.tsx'
import { AccountMenu } from './account-menu.tsx'
import { findKeys, ShortcutList } from './shortcut-list.tsx'
import { navigation } from './navigation.ts'
import { WithSecondFactor } from './second-factor-required.tsx'
import { may, useMembership } from './session.ts'
import css from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'
import { texts } from './texts.tsx'

/** Comes when it is first asked for. */
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))

/** What lies over the page. */
type Over = 'navigation' | 'palette' | 'shortcuts'

export function Shell(): ReactNode {
  const [over, setOver] = useState<Over | null>(null)
  const [wasAsked, setAsked] = useState(false)
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  function show(what: Over): void {
    setAsked((before) => before || what === 'palette')
    setOver(what)
  }
  /** A dialog that gave way to another says that it is closed as well. */
  const close = (what: Over) => (): void => setOver((now) => (now === what ? null : now))
  useShortcuts(show)
  // On a new page the open navigation closes, and the focus moves to the start of the content.
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    setOver(null)
    main.current?.focus()
  }, [pathname])
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        {texts.skipToContent}
      </a>
      <header className={css.bar}>
        <IconButton icon="menu" label={texts.openNavigation} onClick={() => show('navigation')} />
        <BarTitle />
        <IconButton icon="search" label={texts.search} onClick={() => show('palette')} />
      </header>
      <aside className={css.side}>
        <Side onFind={() => show('palette')} />
      </aside>
      <SideDialog isOpen={over === 'navigation'} title={texts.navigation} onClose={close('navigation')}>
        <Side onFind={() => show('palette')} />
      </SideDialog>
      {wasAsked && (
        <Suspense>
          <CommandPalette
            isOpen={over === 'palette'}
            onClose={close('palette')}
            onShowShortcuts={() => show('shortcuts')}
          />
        </Suspense>
      )}
      <ShortcutList isOpen={over === 'shortcuts'} onClose={close('shortcuts')} />
      <main id="main" ref={main} className={css.main} tabIndex={-1}>
        <WithSecondFactor>
          <Outlet />
        </WithSecondFactor>
      </main>
    </div>
  )
}

/** On a telephone nothing else says in which workspace one is, and whether it is a sandbox. */
function BarTitle(): ReactNode {
  const { workspaceId = '' } = useParams({ strict: false })
  const member = useMembership(workspaceId)
  return (
    <span className={css.barTitle}>
      <span>{member?.name ?? texts.workspaceSettings}</span>
      {member?.sandbox === true && <Tag>{texts.sandbox}</Tag>}
    </span>
  )
}

const Side = ({ onFind }: { readonly onFind: () => void }): ReactNode => (
  <div className={css.sideBody}>
    <WorkspaceMenu />
    <button type="button" className={css.find} onClick={onFind}>
      <Icon name="search" />
      {texts.search}
      <span aria-hidden="true">
        {findKeys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
    <Navigation />
    <AccountMenu />
  </div>
)

function Navigation(): ReactNode {
  const { workspaceId = '' } = useParams({ strict: false })
  const member = useMembership(workspaceId)
  return (
    <nav className={css.nav} aria-label={texts.workspaceSettings}>
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
    <title>{texts.notFoundWorkspaceSettings}</title>
    <h1>{texts.pageNotFound}</h1>
    <p>{texts.theLinkIsWrongOr}</p>
    <Button onClick={() => history.back()}>{texts.goBack}</Button>
  </div>
)
