curl -fsS -H "Authorization: Bearer $EMAIL_ANALYTICS_KEY" -o emails.csv "{{address}}/data_api/v1/emails.csv"
