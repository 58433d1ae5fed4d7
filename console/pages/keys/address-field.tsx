// The addresses that a key may be used from, read while they are typed.
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import { addressCount, addressLines, isShutOut } from './address-list.ts'
import { texts } from './texts.tsx'

export function AddressField({
  value,
  mistake,
  ownAddress,
  isTriedNext,
  onValue,
}: {
  readonly value: string
  readonly mistake: string | undefined
  /** The IP address of this browser as the server sees it; null if it is not known. */
  readonly ownAddress: string | null
  /** The page that follows offers a request with the key from this browser. */
  readonly isTriedNext: boolean
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
        label={texts.addressesAndRanges}
        placeholder={texts.exampleAddresses}
        hint={lines.length === 0 ? texts.enterOneIpAddressOr : texts.allows(addressCount(lines))}
        value={value}
        mistake={unreadable === undefined ? mistake : texts.isNotAnIpAddress(unreadable.line)}
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
            {texts.addMyCurrentIpAddress}
          </Button>
          <code>{ownAddress}</code>
        </Row>
      )}
      {widened.map(({ line, text }) => (
        <Notice key={line} tone="warn" title={texts.means(line, text)}>
          <p>{texts.theBitsAfterThePrefix}</p>
        </Notice>
      ))}
      {isShutOut(lines, ownAddress) && (
        <Notice tone="warn" title={texts.yourIpAddressIsNot}>
          <p>{texts.requestsFromYourCurrentIp(ownAddress, isTriedNext)}</p>
        </Notice>
      )}
    </>
  )
}
