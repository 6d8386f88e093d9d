echo "Authorization: Bearer $EMAIL_ANALYTICS_KEY" | curl -fsS -H @- -o emails.csv "{{address}}/data_api/v1/emails.csv"
