export interface BrokerAddress {
  readonly host: string
  readonly port: number
}

const DEFAULT_PORT = 9092

/** The addresses of `host:9092,[2001:db8::1]:9092`. Throws when it is not a list of such. */
export const brokersOf = (text: string): readonly BrokerAddress[] =>
  text.split(',').map((one) => {
    const [, inBrackets, name, digits] =
      /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:,/@[\]]+))(?::([0-9]{1,5}))?$/.exec(one) ?? []
    const host = inBrackets ?? name
    const port = Number(digits ?? DEFAULT_PORT)
    if (host === undefined || port < 1 || port > 65_535) throw new Error(`${one} is not host:port`)
    return { host, port }
  })
