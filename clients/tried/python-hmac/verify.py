import base64
import hashlib
import hmac
import sys

secret, delivery_id, timestamp, signatures = sys.argv[1:]
body = sys.stdin.buffer.read()
key = base64.b64decode(secret.removeprefix("whsec_"))
expected = hmac.new(key, f"{delivery_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
given = [base64.b64decode(part[3:]) for part in signatures.split() if part.startswith("v1,")]
if not any(hmac.compare_digest(expected, one) for one in given):
    sys.exit("This delivery is not signed with the secret.")
