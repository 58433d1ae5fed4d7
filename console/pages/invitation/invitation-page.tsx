// The page of an invitation link, which is accepted with an existing account or a new one. The token is in the link
// behind `#` and is removed from the URL at once; only this page has it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { call, codeOf } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { takeToken } from '../../app/link-token.ts'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Row } from '../../ui/page.tsx'
import { AcceptAs } from './accept-as.tsx'
import { NewAccount } from './new-account.tsx'
import { texts } from './texts.ts'

/** The token of a link, and how many came before it: another link in the same tab changes the part behind `#` alone. */
type OpenedLink = { readonly token: string; readonly number: number }

export function InvitationPage(): ReactNode {
  const [link, setLink] = useState<OpenedLink>(() => ({ token: takeToken(), number: 0 }))
  useEffect(() => {
    function open(): void {
      const token = takeToken()
      if (token !== '') setLink(({ number }) => ({ token, number: number + 1 }))
    }
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
  return <Plain isTinted>{link.token === '' ? <Incomplete /> : <Invited key={link.number} {...link} />}</Plain>
}

function Invited({ token, number }: OpenedLink): ReactNode {
  const invitation = useQuery({
    // The token is not part of the key, because cached data can be inspected.
    queryKey: ['invitations.get', number],
    queryFn: ({ signal }) => call('invitations.get', { token }, { signal }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const session = useQuery(sessionQuery)
  if (invitation.isPending || session.isPending) return <Card title={texts.loadingInvitation}>{null}</Card>
  if (invitation.data === undefined)
    return <NoInvitation error={invitation.error} retry={() => void invitation.refetch()} />
  const shown = { token, invitation: invitation.data }
  return session.data === undefined ? <NewAccount {...shown} /> : <AcceptAs {...shown} session={session.data} />
}

function NoInvitation({ error, retry }: { readonly error: unknown; readonly retry: () => void }): ReactNode {
  if (codeOf(error) === 'not_found') return <Ended />
  return (
    <Card title={texts.invitation}>
      <FailureNotice failure={failureOf(error)} retry={retry} />
    </Card>
  )
}

const Ended = (): ReactNode => (
  <Card title={texts.thisInvitationIsNoLonger} about={texts.anInvitationLinkCanBe}>
    <p>{texts.ifYouHaveAlreadyAccepted}</p>
    <SignInLink />
  </Card>
)

const Incomplete = (): ReactNode => (
  <Card title={texts.theLinkIsIncomplete} about={texts.thePartOfTheLink}>
    <p>{texts.openTheOriginalLinkAgain}</p>
    <SignInLink />
  </Card>
)

const SignInLink = (): ReactNode => (
  <Row>
    <Link to="/sign-in" className={buttonClass()}>
      {texts.signIn}
    </Link>
  </Row>
)
