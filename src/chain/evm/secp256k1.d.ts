/** The part of secp256k1 5.0.2 that is used here; the package has no types of its own. */
declare module 'secp256k1' {
  interface Secp256k1 {
    /** Signature (r and s, 64 bytes, s in the lower half, RFC 6979) of 32 bytes, and which of the two points r stands for. */
    ecdsaSign(message: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
    publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
  }
  const secp256k1: Secp256k1
  export default secp256k1
}
