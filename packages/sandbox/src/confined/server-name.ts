// The server name in a TLS ClientHello (RFC 6066). A tunnel to an allowed host that asks for another name there is refused: many
// names share one address. Pure.

/** `more`: the message is not complete yet. `null`: not a ClientHello, or one without a name. */
export function readServerName(bytes: Buffer): string | null | "more" {
  if (bytes.length < 5) return bytes.length > 0 && bytes[0] !== 0x16 ? null : "more";
  if (bytes[0] !== 0x16) return null;
  const length = bytes.readUInt16BE(3);
  if (bytes.length < 5 + length) return "more";
  try {
    return nameIn(bytes.subarray(5, 5 + length));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads past the version, random, session id, cipher suites and compression methods to the extensions. */
function nameIn(hello: Buffer): string | null {
  if (hello[0] !== 1) return null;
  let at = 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at + 4 <= end) {
    const type = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    // server_name: a list's length, the type host_name, the name's length, the name.
    if (type === 0 && hello.readUInt8(at + 6) === 0)
      return hello.toString("latin1", at + 9, at + 9 + hello.readUInt16BE(at + 7)).toLowerCase();
    at += 4 + size;
  }
  return null;
}
