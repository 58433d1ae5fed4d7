// The menu of the signed-in account: account page, theme and sign-out.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { announce } from '../ui/announcements.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx'
import { call } from './call.ts'
import { failureOf } from './failure.ts'
import css from './menus.module.css'
import { useSession } from './session.ts'
import { themes, type Theme } from '../ui/stored-theme.ts'
import { chooseTheme, useTheme } from './theme.ts'
import { texts } from './texts.tsx'

const looks: Readonly<Record<Theme, { readonly label: string; readonly icon: IconName }>> = {
  system: { label: texts.system, icon: 'system' },
  light: { label: texts.light, icon: 'sun' },
  dark: { label: texts.dark, icon: 'moon' },
}

export function AccountMenu(): ReactNode {
  const { account } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const theme = useTheme()
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={css.trigger}>
          <span className={css.face} aria-hidden="true">
            {account.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={css.names}>
            <span className={css.name}>{account.name}</span>
            <span className={css.note}>{account.email}</span>
          </span>
          <Icon name="chevrons" />
        </button>
      }
    >
      <MenuItem icon="account" onSelect={() => void navigate({ to: '/account' })}>
        {texts.account}
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{texts.theme}</MenuLabel>
      {themes.map((each) => (
        <MenuItem key={each} icon={looks[each].icon} isChosen={each === theme} onSelect={() => chooseTheme(each)}>
          {looks[each].label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon="signOut" onSelect={() => void signOut()}>
        {texts.signOut}
      </MenuItem>
    </Menu>
  )
}

/** Signing out also clears all data of the account in this browser tab. */
function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await call('sessions.end', {})
    } catch (error) {
      return announce(failureOf(error).detail, 'bad')
    }
    await navigate({ to: '/sign-in', ignoreBlocker: true })
    queries.clear()
  }
}
