import os

import pandas

emails = pandas.read_csv(
    "{{address}}/data_api/v1/emails.csv",
    storage_options={"Authorization": f"Bearer {os.environ['EMAIL_ANALYTICS_KEY']}"},
    parse_dates=["sent_at", "sent_on", "closed_at", "updated_at"],
)
print(emails[["sent_on", "subject", "recipient_count", "open_rate", "click_rate"]].to_string(max_rows=10))
