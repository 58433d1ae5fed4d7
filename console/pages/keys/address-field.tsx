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
  /** As the server sees whoever sits here; null where it is not known. */
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
        label="Addresses"
        placeholder={'192.0.2.7\n10.0.0.0/24\n2001:db8::/48'}
        hint={
          lines.length === 0 ? 'One address or range a line. Empty: from anywhere.' : `Lets in ${addressCount(lines)}.`
        }
        value={value}
        mistake={unreadable === undefined ? mistake : `“${unreadable.line}” is no address and no range.`}
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
            Add my current address
          </Button>
          <code>{ownAddress}</code>
        </Row>
      )}
      {widened.map(({ line, text }) => (
        <Notice key={line} tone="warn" title={`${line} means ${text}`}>
          <p>The part after the mask counts for nothing: the whole range is let in.</p>
        </Notice>
      ))}
      {isShutOut(lines, ownAddress) && (
        <Notice tone="warn" title="Your own address is not on the list">
          <p>Calls from where you are now ({ownAddress}) will be refused, and so will “Try it” in the next step.</p>
        </Notice>
      )}
    </>
  )
}
