// The addresses that a key may be used from, read while they are typed.
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { addressCount, addressLines, isShutOut } from './address-list.ts'

export function AddressField({
  value,
  mistake,
  ownAddress,
  onValue,
}: {
  readonly value: string
  readonly mistake: string | undefined
  /** The IP address of this browser as the server sees it; null if it is not known. */
  readonly ownAddress: string | null
  readonly onValue: (value: string) => void
}): ReactNode {
  const lines = addressLines(value)
  const widened = lines.flatMap((line) => (line.kind === 'range' && line.isWidened ? [line] : []))
  const unreadable = lines.find(({ kind }) => kind === 'unreadable')
  const isListed = ownAddress !== null && lines.some(({ line }) => line === ownAddress)
  return (
    <>
      <TextArea
        isCode
        isOptional
        label="IP allowlist"
        placeholder={'192.0.2.7\n10.0.0.0/24\n2001:db8::/48'}
        hint={
          lines.length === 0
            ? 'Enter one IP address or CIDR range per line. Leave empty to allow any address.'
            : `Allows ${addressCount(lines)}.`
        }
        value={value}
        mistake={unreadable === undefined ? mistake : `“${unreadable.line}” is not an IP address or CIDR range.`}
        spellCheck={false}
        onValue={onValue}
      />
      {ownAddress !== null && !isListed && (
        <Row>
          <Button
            size="small"
            icon="plus"
            onClick={() => onValue(value.trim() === '' ? ownAddress : `${value.trim()}\n${ownAddress}`)}
          >
            Add my current IP address
          </Button>
          <code>{ownAddress}</code>
        </Row>
      )}
      {widened.map(({ line, text }) => (
        <Notice key={line} tone="warn" title={`${line} means ${text}`}>
          <p>The bits after the prefix are ignored. The whole range is allowed.</p>
        </Notice>
      ))}
      {isShutOut(lines, ownAddress) && (
        <Notice tone="warn" title="Your IP address is not on the allowlist">
          <p>
            Requests from your current IP address ({ownAddress}) will be denied, including “Try it” in the next step.
          </p>
        </Notice>
      )}
    </>
  )
}
