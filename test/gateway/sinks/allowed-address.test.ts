import { expect, test } from 'vitest'
import {
  allowedAddress,
  type Lookup,
  lookupAllowed,
} from '../../../src/gateway/sinks/kinds/allowed-address.js'

test.each([
  '0.0.0.0',
  '127.0.0.1',
  '127.9.9.9',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '[::1]',
  '::',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  'fe80::1%eth0',
  'fe80::a9fe:a9fe',
  'fd00:ec2::254',
  'fd00:0ec2:0:0::254',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:7f00:0:100::',
  '64:ff9b:1:ab7f:0:1::',
  '64:ff9b:1:abcd:7f:0:100::',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::',
  '2001:0:c000:201:8000:1:5601:5601',
  '2001:db8::5efe:127.0.0.1',
  '2001:db8::200:5efe:a9fe:a9fe',
])('%s leads to this machine, its link or the metadata of a cloud, and is refused', (address) => {
  expect(allowedAddress(address)?.message).toContain('--allow-local-sinks')
})

test.each([
  '192.0.2.1',
  '10.0.0.1',
  '169.253.255.255',
  '2001:db8::1',
  'fd00::1',
  '::ffff:192.0.2.1',
  '64:ff9b::192.0.2.1',
  '64:ff9b:1::192.0.2.1',
  '64:ff9b:1:c000:2:100::',
  '2002:c000:201::1',
  '2001:0:c000:201:8000:1:3fff:fdfe',
  '2001:db8::5efe:192.0.2.1',
  'mes.example',
])('%s is allowed', (address) => {
  expect(allowedAddress(address)).toBeUndefined()
})

test('a name that leads to a local address among others is refused', () => {
  const lookup = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [
      { address: '192.0.2.1', family: 4 },
      { address: '64:ff9b::7f00:1', family: 6 },
    ])) as unknown as Lookup
  let refused: Error | null = null
  lookupAllowed(lookup)('mes.example', { all: true }, (error) => {
    refused = error
  })
  expect(refused).toMatchObject({ message: expect.stringContaining('local address') })
})
