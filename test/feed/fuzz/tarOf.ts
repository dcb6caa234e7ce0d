/** A tar archive (ustar) of files with short names. */
export function tarOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks: Buffer[] = []
  for (const [name, bytes] of Object.entries(files)) {
    const head = Buffer.alloc(512)
    head.write(name, 0, 100)
    head.write('0000644\0', 100)
    head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    head.write('        ', 148)
    head.write('0ustar\x0000', 156)
    head.write(`${head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
    blocks.push(head, Buffer.from(bytes), Buffer.alloc((512 - bytes.length % 512) % 512))
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
