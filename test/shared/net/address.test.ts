import { describe, expect, it } from 'vitest'
import { isPublicAddress, parseAddress } from '../../../shared/net/address.ts'

const open = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
  168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255
  198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255
  2606:4700:4700::1111 2a00:1450:4001:80b::200e 2001:4860:4860::8888 2001:200:: 3ffe:: 2001:db9::
  ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 2002:0808:0808::1`

const closed = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
  192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255
  :: ::1 ::2 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::FFFF:169.254.169.254 0:0:0:0:0:ffff:a9fe:a9fe
  ::ffff:0:127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:5ef5:79fd::1 2001:db8::1
  2002:7f00:1::1 2002:c0a8:101::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1
  4000::1 e000::1`

const none = `example.com 1.2.3 1.2.3.4.5 256.1.1.1 01.2.3.4 0x7f.0.0.1 1.2.3.-4 +1.2.3.4 :1 1: 1::2::3 1:2:3:4:5:6:7
  1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8:: 12345::1 g::1 ::1.2.3 ::1.2.3.4:5 ::1.2.3.256 [::1]`

const words = (text: string) => text.split(/\s+/)

describe('addresses', () => {
  it.each(words(open))('%s is on the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  it.each(words(closed))('%s is not', (address) => {
    expect(parseAddress(address)).toBeDefined()
    expect(isPublicAddress(address)).toBe(false)
  })
  it.each(['', ...words(none)])('%j is not an address, hence not public', (text) => {
    expect(parseAddress(text)).toBeUndefined()
    expect(isPublicAddress(text)).toBe(false)
  })
})
